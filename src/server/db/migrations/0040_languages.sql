-- The language that a person chose, and the one that an operator set for a subtenant's people; null: nobody said.
alter table users add column language text;
alter table subtenants add column language text;
