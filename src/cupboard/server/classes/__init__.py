"""Classes: the pupils of a teacher or the members of a club, the rounds they are paired for, and the results as a sheet."""
