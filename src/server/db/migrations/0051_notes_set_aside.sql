-- A name whose keys cannot be made waits for its next try, so that it holds up no other name (decision 244).
alter table names_to_fold add column not_before timestamptz;
