"""What surrounds every page: services, identity, navigation and the address."""
