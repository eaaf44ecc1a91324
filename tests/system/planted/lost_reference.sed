# src/core/address/map.c
# A map that fails keeps its references to the physical memory.
/^static void batch_drop/,/^}/s/tn_phys_unmap(batch->records\[i\]->phys);//
