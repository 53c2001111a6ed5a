"""What the portal's pages show: reads, shaped for the templates, with addresses."""
