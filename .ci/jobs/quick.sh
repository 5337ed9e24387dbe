# Tests on Amazon's own engine.

# Tests that ask no engine, or ask the same of both, run once: in the long job.
of_any_engine=(--exclude test/rooms.test.ts)
for folder in bench clients console costs infra load over-api words; do of_any_engine+=(--exclude "test/$folder/**"); done

step install_java
suite test:quick dynamodb-local "${of_any_engine[@]}"
# Races and deaths may end otherwise on another engine. Other long files ask no more of an engine than the quick files do.
suite test:races dynamodb-local "${of_any_engine[@]}"
