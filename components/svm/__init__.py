"""Support vectors: the widest margin between classes, or the flattest line within one."""
