"""Classes: the pupils of a teacher or the members of a club, their rounds and tables, and the results as a sheet."""
