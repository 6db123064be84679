"""Messages in the languages of rulekit."""
