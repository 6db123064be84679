"""The table in the browser: games under way, who sits at them, and the wire between them and a
page. See docs/table.md."""
