import type { Definition, MetadataDefinitions, MetadataReader } from '#features/metadata/metadata.door.ts';
import type { Parameters } from './metadata-sql.ts';
import { cifsOf } from '#features/deliveries/deliveries.door.ts';

interface Asking {
  readonly reader: MetadataReader;
  readonly parameters: Parameters;
}

/**
 * Whose a delivery `entry` is, of the numbers of whoever asks and no others: the principal says it, and of a document with two owners what stands
 * beside the delivery (migration 0017). Undefined for keys that are no such number.
 */
export const findOwnNumberSql = (
  { id, visible }: Definition,
  { markerKey }: MetadataDefinitions,
): ((asking: Asking) => string) | undefined => (id === markerKey || visible !== 'own' ? undefined : numbers.get(id));

const first = ({ reader, parameters }: Asking): string => {
  const cifs = cifsOf(reader).map((cif) => ({ cif: parameters.add(cif), principal: parameters.add(`cif:${cif}`) }));
  const ofPrincipal = cifs.map(({ cif, principal }) => `when ${principal}::text then ${cif}::text`);
  return `(case when entry.second_cif is null then case entry.principal ${ofPrincipal.join(' ')} end
    when entry.first_cif in (${cifs.map(({ cif }) => cif).join(', ')}) then entry.first_cif end)`;
};

const second = ({ reader, parameters }: Asking): string =>
  `(case when entry.second_cif = any(${parameters.add(cifsOf(reader))}::text[]) then entry.second_cif end)`;

const numbers: ReadonlyMap<string, (asking: Asking) => string> = new Map([
  ['CIF', first],
  ['CIF2', second],
  ['14', (asking) => `coalesce(${first(asking)}, ${second(asking)})`],
]);
