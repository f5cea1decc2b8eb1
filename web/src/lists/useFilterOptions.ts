import { listOwnValues } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '#platform/api.ts';
import { languageTag } from '#platform/language.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import type { SelectOption } from '#kit/forms/Select.tsx';
import type { ListPlan } from './list-plan.ts';
import type { ListSource } from './list-source.ts';

const keptForMs = 5 * 60_000;

/** What the selects of a list offer: the options that occur among the person's own documents, or else all of the dictionary. */
export function useFilterOptions(
  plan: ListPlan,
  { source, metadata, wanted }: { source: ListSource; metadata: OwnMetadata; wanted: boolean },
): (key: string) => readonly SelectOption[] {
  const { statementMarker, texts } = metadata;
  const keys = plan.fields.filter(({ look }) => look === 'select').map(({ key }) => key);
  const { data } = useQuery({
    queryKey: [listOwnValues.name, source.name, plan.kind],
    queryFn: async ({ signal }) => {
      const criteria = { metadata: [...plan.criteria(statementMarker ?? '')], period: null };
      const valuesOf = async (key: string) =>
        (await call(listOwnValues, { body: { text: null, criteria, sort: [], page: 0, size: 1, key }, signal })).items;
      return new Map(await Promise.all(keys.map(async (key) => [key, await valuesOf(key)] as const)));
    },
    enabled: wanted && statementMarker !== undefined && source.isOwn && keys.length > 0,
    staleTime: keptForMs,
  });
  return useCallback(
    (key: string) => {
      const options = data?.get(key)?.map((value) => ({ id: String(value), label: texts.textOf(key, value) }));
      const all = options ?? texts.optionsOf(key).map(({ key: id, label }) => ({ id, label }));
      const order = new Intl.Collator(languageTag(), { numeric: true });
      return all.toSorted((a, b) => order.compare(a.label, b.label));
    },
    [data, texts],
  );
}
