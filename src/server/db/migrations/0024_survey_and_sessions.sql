-- The text of a survey answer, encrypted (decision 120). `sub_response` holds it only where the release before wrote it.
alter table survey_answers add column sealed_text text;

-- What is still to be sealed; empty once that is done.
create index if not exists survey_answers_plain on survey_answers (id) where sub_response <> '';

-- What an operator sees of a session (decision 126): roughly which browser, the network that it came from, and the
-- session at the hosted login that its code began.
alter table sign_ins add column browser text;
alter table sign_ins add column network text;
alter table sign_ins add column hosted_uid text;
