"""Hidden information: what each player may see, and which positions they cannot tell apart."""
