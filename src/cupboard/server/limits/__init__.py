"""Rate limits and connection limits: how much one address may ask for."""
