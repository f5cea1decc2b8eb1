import type { AnswerOf, calls, Publication } from '@pergamin/contract';
import { kindOf, requireReplaceable } from '#features/documents/documents.door.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { openDescriptions } from './descriptions.ts';
import type { PublishingParts } from './publishing.service.ts';
import { sealPolicyOf } from './inspect-publication.ts';
import { findNamed, findRepeated, type Repeated } from './repeated.ts';

type Answer = AnswerOf<typeof calls.checkPublications>;

/** What each would be refused for before its file is looked at, and which were made before. */
export const checkPublications = async (
  parts: PublishingParts,
  items: readonly Publication[],
  caller: PublisherCaller,
): Promise<Answer> => {
  const { db } = parts;
  const read = await openDescriptions(parts, items, caller);
  const names = await findNamed(db, items);
  const findBefore = async (description: Publication): Promise<Repeated | undefined> => {
    const { sha256, replaces } = description;
    // Without a checksum it is not known whether a name that is taken was taken by the same file.
    const before = sha256 === undefined ? undefined : await findRepeated(db, { description, sha256 }, { demo: caller.demo, names });
    if (before === undefined && replaces !== undefined) await requireReplaceable(db, { replaces, description, publisher: caller });
    return before;
  };
  const answer: Answer = { refused: [], published: [] };
  const sealed: number[] = [];
  for (const [index, description] of items.entries())
    try {
      const { columns } = read(description);
      const before = await findBefore(description);
      const kind = kindOf({ type: description.type, marker: columns.marker });
      if (before !== undefined) answer.published.push({ index, id: before.id, state: before.state });
      else if (sealPolicyOf(parts.settings.seals, { kind, demo: caller.demo }) === 'required') sealed.push(index);
    } catch (error) {
      if (!(error instanceof PortalError) || error.status >= 500) throw error;
      const { code, message, fields } = error;
      answer.refused.push({ index, code, message, ...(fields === undefined ? {} : { fields }) });
    }
  return sealed.length === 0 ? answer : { ...answer, sealed };
};
