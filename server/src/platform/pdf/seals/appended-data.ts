import { PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNull, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { findForeignData } from '#platform/pdf/foreign-data.ts';
import { namesPackedObjects, objectsWrittenIn } from './written-objects.ts';

const maxTailBytes = 8 * 1024 * 1024;
const maxObjects = 300_000;
const maxDepth = 100;

/** A document at two moments; numbers are those of objects. */
interface Comparison {
  readonly before: PDF;
  readonly after: PDF;
}

/**
 * Whether all that follows the first `end` bytes is data for validating the signatures: a document security store, and time-stamps of the whole
 * document with their fields. Every object that was there before is compared, and none may have got another meaning.
 */
export const isOnlyValidationData = async (file: Uint8Array, end: number): Promise<boolean> => {
  if (file.length - end > maxTailBytes) return false;
  const tail = Buffer.from(file.subarray(end)).toString('latin1');
  // Places where other readers could find objects that are not compared here.
  if (namesPackedObjects(tail) || !/startxref\s+\d+\s+%%EOF\s*$/.test(tail) || findForeignData(file) !== undefined) return false;
  const written = objectsWrittenIn(tail);
  if (written === undefined) return false;
  const before = await PDF.load(file.subarray(0, end), { lenient: false });
  const after = await PDF.load(file, { lenient: false });
  if (before.recoveredViaBruteForce || after.recoveredViaBruteForce || before.isEncrypted || after.isEncrypted) return false;
  const root = before.context.registry.getRef(before.getCatalog());
  const rootAfter = after.context.registry.getRef(after.getCatalog());
  if (root === null || rootAfter === null || !isEqualRef(root, rootAfter)) return false;
  return keepsMeaning({ before, after }, root, written);
};

const isEqualRef = (one: PdfRef, other: PdfRef): boolean => one.objectNumber === other.objectNumber && one.generation === other.generation;

/** Objects of the two moments, and whether they mean the same. */
const createSameness = ({ before, after }: Comparison) => {
  const was = (ref: PdfRef): PdfObject | null => before.getObject(ref);
  const is = (ref: PdfRef): PdfObject | null => after.getObject(ref);

  const isSame = (one: PdfObject | null | undefined, other: PdfObject | null | undefined, depth = 0): boolean => {
    if (depth > maxDepth) return false;
    if (one === null || one === undefined || other === null || other === undefined) return (one ?? null) === (other ?? null);
    // What pointed at nothing still does.
    if (one instanceof PdfRef) return other instanceof PdfRef && isEqualRef(one, other) && (was(one) === null) === (is(one) === null);
    if (one instanceof PdfStream || other instanceof PdfStream)
      return (
        one instanceof PdfStream && other instanceof PdfStream && isSameBytes(one.data, other.data) && isSameDict(one, other, [], depth)
      );
    if (one instanceof PdfDict) return other instanceof PdfDict && isSameDict(one, other, [], depth);
    if (one instanceof PdfArray) return other instanceof PdfArray && isSameArray(one.toArray(), other.toArray(), depth);
    if (one instanceof PdfString) return other instanceof PdfString && isSameBytes(one.bytes, other.bytes);
    if (one instanceof PdfName || one instanceof PdfNumber || one instanceof PdfBool)
      return one.type === other.type && 'value' in other && one.value === other.value;
    return one instanceof PdfNull && other instanceof PdfNull;
  };

  const isSameArray = (one: readonly PdfObject[], other: readonly PdfObject[], depth: number): boolean =>
    one.length === other.length && one.every((item, at) => isSame(item, other[at], depth + 1));

  /** But for these entries. */
  const isSameDict = (one: PdfDict, other: PdfDict, but: readonly string[], depth = 0): boolean => {
    const names = new Set([...one.keys(), ...other.keys()].map(({ value }) => value));
    return [...names].every((name) => but.includes(name) || isSame(one.get(name), other.get(name), depth + 1));
  };

  return { was, is, isSame, isSameDict };
};

const isSameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

type Rule = (one: PdfObject | null, other: PdfObject | null) => boolean;

/** What validation data may change: entries of the catalogue, lists of fields, and lists of annotations. */
const createRules = ({ was, is, isSame, isSameDict }: ReturnType<typeof createSameness>) => {
  /** Of objects that may differ, by their numbers. */
  const rules = new Map<number, Rule>();

  /** What an entry leads to follows this rule. */
  const follows = (one: PdfObject | undefined, other: PdfObject | undefined, rule: Rule): boolean => {
    if (one instanceof PdfRef && other instanceof PdfRef && isEqualRef(one, other)) {
      rules.set(one.objectNumber, rule);
      return true;
    }
    return rule(one instanceof PdfRef ? was(one) : (one ?? null), other instanceof PdfRef ? is(other) : (other ?? null));
  };

  /** New, invisible, and holding a time-stamp of the document. */
  const isStampField = (item: PdfObject): boolean => {
    const field = item instanceof PdfRef && was(item) === null ? is(item) : null;
    if (!(field instanceof PdfDict) || ['AP', 'A', 'AA', 'Kids'].some((name) => field.has(name))) return false;
    const sides = field.getArray('Rect', is)?.toArray() ?? [];
    const isInvisible = sides.every((side) => side instanceof PdfNumber && side.value === 0);
    const format = field.getDict('V', is)?.getName('SubFilter', is)?.value;
    return isInvisible && field.getName('FT', is)?.value === 'Sig' && format === 'ETSI.RFC3161';
  };

  /** The list begins as it was; what follows are fields of time-stamps. */
  const extendsList: Rule = (one, other) => {
    if (one === null && other === null) return true;
    if (!(other instanceof PdfArray) || !(one === null || one instanceof PdfArray)) return false;
    const before = one?.toArray() ?? [];
    const after = other.toArray();
    return after.length >= before.length && after.every((item, at) => (at < before.length ? isSame(before[at], item) : isStampField(item)));
  };

  const extendsForm: Rule = (one, other) => {
    if (one === null && other === null) return true;
    const before = one ?? new PdfDict();
    if (!(before instanceof PdfDict) || !(other instanceof PdfDict)) return false;
    return isSameDict(before, other, ['Fields', 'SigFlags']) && follows(before.get('Fields'), other.get('Fields'), extendsList);
  };

  const extendsRoot: Rule = (one, other) =>
    one instanceof PdfDict &&
    other instanceof PdfDict &&
    isSameDict(one, other, ['DSS', 'AcroForm', 'Extensions']) &&
    follows(one.get('DSS'), other.get('DSS'), (_, store) => store === null || store instanceof PdfDict) &&
    follows(one.get('AcroForm'), other.get('AcroForm'), extendsForm);

  const extendsPage: Rule = (one, other) =>
    one instanceof PdfDict &&
    other instanceof PdfDict &&
    isSameDict(one, other, ['Annots']) &&
    follows(one.get('Annots'), other.get('Annots'), extendsList);

  return { rules, extendsRoot, extendsPage };
};

const keepsMeaning = (comparison: Comparison, root: PdfRef, written: readonly number[]): boolean => {
  const end = comparison.before.context.registry.nextObjectNumber;
  if (end > maxObjects) return false;
  const sameness = createSameness(comparison);
  const { was, is } = sameness;
  const { rules, extendsRoot, extendsPage } = createRules(sameness);
  rules.set(root.objectNumber, extendsRoot);
  const objects = Array.from({ length: end - 1 }, (_, at) => PdfRef.of(at + 1, 0)).filter((ref) => was(ref) !== null);
  for (const ref of objects) {
    const page = was(ref);
    if (page instanceof PdfDict && page.getName('Type', was)?.value === 'Page') rules.set(ref.objectNumber, extendsPage);
  }
  // A rule may add rules for the lists that it finds.
  for (const [number, rule] of rules) if (!rule(was(PdfRef.of(number, 0)), is(PdfRef.of(number, 0)))) return false;
  // Other readers may find what the tail writes, whatever its tables say.
  const isWritable = (number: number): boolean => rules.has(number) || was(PdfRef.of(number, 0)) === null;
  return written.every(isWritable) && objects.every((ref) => rules.has(ref.objectNumber) || sameness.isSame(was(ref), is(ref)));
};
