-- What may never change: a row that was published or accepted. Each table below names its trigger beside itself.
-- Demonstration data are the one exception. Their removal sets pergamin.removing_demo for its own transaction, and even then only rows of
-- demonstration documents, statutes and clients go.

create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('pergamin.removing_demo', true) = 'on' then
    if tg_table_name = 'publication' and exists (select from document d where d.id = (to_jsonb(old) ->> 'document_id')::uuid and d.demo) then
      return old;
    end if;
    if tg_table_name = 'statute_acceptance' and (
      exists (select from statute s where s.id = (to_jsonb(old) ->> 'statute_id')::uuid and s.demo) or
      exists (select from client c where c.personal_id = to_jsonb(old) ->> 'personal_id' and c.demo)
    ) then
      return old;
    end if;
  end if;
  raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
