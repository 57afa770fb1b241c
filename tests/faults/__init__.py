"""What can go wrong around a store: files that are damaged, gone, replaced or full, processes that are killed."""
