# src/core/pool/grow/sleep.c
# The list of spare handles keeps those of memory that went to sleep, and a wake maps them again.
/^static tarn_status give_up_runs/,/^}/s/source->handles.spare_count = 0;//
