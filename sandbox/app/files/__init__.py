"""File dialogs and autosaves."""
