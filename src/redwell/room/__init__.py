"""A folder or archive of documents, read once into a store in which every word has an address."""
