#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is new: the role that the portal works as, which owns nothing.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/portal-password)" <<'SQL'
create role pergamin_portal login password :'password' nosuperuser nocreatedb nocreaterole noreplication;
SQL
