-- When the person proved by a code, within a session, that it is still they: a change of a way in asks for it.
alter table sign_ins add column stepped_up_at timestamptz;
