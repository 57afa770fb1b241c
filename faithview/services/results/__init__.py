"""Runs and answers as they are stored: listed, opened and searched. Every other package builds on this one."""
