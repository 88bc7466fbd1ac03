-- Who stood behind a change by staff (decision 206): asked for again after a stop, with the person at the desk and an
-- operator among the two, it is stopped only with a proof.
alter table staff_changes add column with_person boolean not null default false;
alter table staff_changes add column with_operator boolean not null default false;
