"""What is found out about a model before its code is made."""
