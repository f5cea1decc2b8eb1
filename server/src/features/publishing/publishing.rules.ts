import type { Publication } from '@pergamin/contract';
import { invalidField } from '#platform/http/errors.ts';

/** R3: a private document has an owner, a group's has a group, a public one neither. Throws VALIDATION_ERROR. */
export const assertRecipients = ({ type, cif, cif2, groupId }: Publication): void => {
  if (type === 'PRIVATE' && cif === undefined) throw invalidField('CIF', 'a private document needs its owner');
  if (type === 'GROUP' && groupId === undefined) throw invalidField('GROUP_ID', 'a group’s document needs its group');
  if (type !== 'PRIVATE' && cif !== undefined) throw invalidField('CIF', `a document of type ${type} has no owner`);
  if (type !== 'PRIVATE' && cif2 !== undefined) throw invalidField('CIF2', `a document of type ${type} has no owner`);
  if (type !== 'GROUP' && groupId !== undefined) throw invalidField('GROUP_ID', `a document of type ${type} has no group`);
  if (cif2 !== undefined && cif2 === cif) throw invalidField('CIF2', 'the same as CIF');
};
