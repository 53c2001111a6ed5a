"""The door of agents: the Model Context Protocol over HTTP and on standard input and output."""
