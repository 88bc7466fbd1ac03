-- The hours of the help phone of one house, in the form of `help.hours`. Null: those of the service.
alter table subtenants add column help_hours text;
-- Null in a look that a release without the column kept: the house had no hours of its own then.
alter table house_looks add column help_hours text;
