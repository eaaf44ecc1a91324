# src/core/address/map.c
# A map that fails keeps its reference to the last one of the physical memories.
/^static void drop_phys/,/^}/s/i < count; i++) tn_phys_drop/i + 1 < count; i++) tn_phys_drop/
