"""Messages in the languages that rulekit speaks."""
