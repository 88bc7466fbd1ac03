-- Which request runs a form: one whose lease ran out must not overwrite the answer of the one that took over.
-- An older release writes none; its rows belong to no request of this one.
alter table answered_forms add column owner text;
