"""Agents before their door: real clients, real servers, real processes."""
