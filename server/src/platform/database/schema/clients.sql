-- The clients of the organisation, as it sends them, and what they chose themselves.

create table client (
  personal_id text primary key,
  cif text not null,
  cif2 text,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  managed boolean not null default false,
  -- A CLOSED client keeps reading, downloading and exporting (T4), and is never asked for the statute (C3).
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'CLOSED')),
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  previous_sign_in_at timestamptz,
  -- Of mail, from the organisation's record. An installation may add languages, so that none is listed here.
  language text not null default 'PL' check (language ~ '^[A-Z]{2,3}$'),
  -- Of mail, from the client's last sign-in; null: that adds nothing to the record.
  chosen_language text check (chosen_language ~ '^[A-Z]{2,3}$'),
  -- The channel for notices; may outlive the address or phone that it needs.
  preferred_channel text check (preferred_channel in ('EMAIL', 'SMS'))
);

-- For the owners of a publication, by customer number.
create index client_cif on client (cif);
-- The same for the second number, which few clients have.
create index client_cif2 on client (cif2) where cif2 is not null;

-- What is kept of people of the demonstration may be removed, so no client becomes one of them. The other way round is possible: the
-- organisation takes them up.
create function refuse_later_demo() returns trigger language plpgsql as $$
begin
  raise exception 'a client of the organisation does not become one of the demonstration' using errcode = 'restrict_violation';
end $$;
create trigger client_stays_real before update of demo on client for each row
  when (new.demo and not old.demo) execute function refuse_later_demo();
