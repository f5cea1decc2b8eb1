import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { publishingLimits } from './limits.ts';
import { givenValue, metadataId, metadataTypes } from './metadata.ts';
import { pdfFlag } from './received.ts';
import {
  cif,
  composed,
  documentId,
  documentState,
  documentType,
  epochMs,
  errorBody,
  keptEpochMs,
  keptText,
  languageCode,
  patternedText,
  personalId,
  sha256Hex,
  typedText,
} from './values.ts';

const oneLine = (maxLength: number) => patternedText(/^[^\p{Cc}\p{Cs}]+$/u, { maxLength }).check(composed());

/**
 * ASCII before the @, as most mail servers take nothing else (SMTPUTF8); a domain in letters of any script, without two points in a row, so that there
 * is but one way to read it.
 */
const mailAddress = patternedText(/^[!#-;=?A-~]+@(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}_-]+$/u, {
  maxLength: 254,
  error: 'not an address like jan@example.com, or with letters beyond ASCII before the @, which most mail servers do not take',
});

/**
 * The `description` part of a publication: JSON text. `uniqueName` makes the call repeatable: the same name with the same bytes gives the
 * first answer again, with other bytes RESOURCE_DUPLICATE (R1). Recipients: PRIVATE needs `cif`, GROUP needs `groupId`, PUBLIC neither (R3).
 * `replaces`: the id of a document with the same recipients (else VALIDATION_ERROR) whose place no other one has (else INVALID_STATUS): it is ACTIVE,
 * and becomes OBSOLETE in the same step; or it was cancelled; or every later version of it was taken back. Its unique name may pass on to this one (R2).
 */
export const publication = z.strictObject({
  type: documentType,
  fileName: keptText(255),
  uniqueName: z.optional(keptText(200)),
  replaces: z.optional(documentId),
  cif: z.optional(cif),
  cif2: z.optional(cif),
  groupId: z.optional(keptText(64)),
  /** When given, it must be the file's checksum (else INVALID_SHA256). */
  sha256: z.optional(sha256Hex),
  addedBy: z.optional(keptText(200)),
  /** Only with a demonstration key: a moment in the past, so that demonstration lists look lived in. Refused with VALIDATION_ERROR otherwise. */
  publishedAt: z.optional(keptEpochMs),
  metadata: z._default(z.record(metadataId, givenValue(publishingLimits.maxValueLength)), {}),
});
export type Publication = z.output<typeof publication>;

export const publishedDocument = z.object({
  id: z.string(),
  /** Of a publication that is repeated, what has become of it: what was cancelled or deleted does not come back. */
  state: documentState,
  sha256: z.string(),
  size: z.int(),
  pageCount: z.int(),
  publishedAt: epochMs,
  /** With PUBLISH_CONTENT=flag, what the PDF holds that could do something in other hands; always, why customers may see less than was meant. */
  flags: z.array(pdfFlag),
  /** True when this call changed nothing because the same publication had been made before. */
  repeated: z.boolean(),
});
export type PublishedDocument = z.output<typeof publishedDocument>;

/**
 * R1. Checked completely before anything is stored; document, recipients, publication record and notices appear in one transaction. Throws
 * INVALID_DOC_TYPE and DOCUMENT_UPLOAD_ERROR for the file, DOCUMENT_METADATA_ERROR and VALIDATION_ERROR for its description.
 */
export const publishDocument = publisherCall({
  name: 'publishDocument',
  method: 'POST',
  path: '/api/publisher/documents',
  summary: 'Publishes one PDF: multipart with `description` (JSON, first) and `file`',
  scope: 'documents:publish',
  form: { description: publication, file: 'file' },
  answer: publishedDocument,
});

/**
 * What a run is judged by before its files are sent, and where an interrupted one goes on. Nothing is stored. `published`: those whose unique name
 * was published with their `sha256` before. The files themselves are judged when they are published.
 */
export const checkPublications = publisherCall({
  name: 'checkPublications',
  method: 'POST',
  path: '/api/publisher/documents/check',
  load: 'heavy',
  summary: 'Says which of these publications would be refused by their descriptions, and which were made before; publishes nothing',
  scope: 'documents:publish',
  body: z.strictObject({ items: z.array(publication).check(z.minLength(1), z.maxLength(publishingLimits.maxDocumentsPerCheck)) }),
  answer: z.object({
    /** By their places in `items`, from 0. */
    refused: z.array(z.object({ index: z.int(), ...errorBody.shape })),
    /** `state`: what has become of it; what was cancelled or deleted does not come back. */
    published: z.array(z.object({ index: z.int(), id: documentId, state: documentState })),
    /** Of the others, those whose files must have a valid seal. Left out: none. */
    sealed: z.optional(z.array(z.int())),
  }),
});

/** What is left out stays as it was, or is empty for a new client; null removes it. */
export const clientRecord = z.strictObject({
  personalId,
  cif,
  cif2: z.optional(z.nullable(cif)),
  firstName: oneLine(100),
  lastName: oneLine(100),
  email: z.optional(z.nullable(mailAddress)),
  phone: z.optional(z.nullable(patternedText(/^\+\d{6,15}$/, { maxLength: 16 }))),
  groups: z.optional(z.array(oneLine(64)).check(z.maxLength(100))),
  managed: z.optional(z.boolean()),
  /** Of mail; one of `listLanguages`. Of a new client, when left out, the first of them. */
  language: z.optional(languageCode),
  /** Sets the password of a new local account; never changes an existing one. Left out: the account has none until it is activated. */
  initialPassword: z.optional(typedText(200).check(z.minLength(8))),
});
export type ClientRecord = z.output<typeof clientRecord>;

/** R4. Throws RESOURCE_DUPLICATE when one of the ids belongs to the demonstration. A new local account is mailed an invitation. */
export const upsertClients = publisherCall({
  name: 'upsertClients',
  method: 'PUT',
  path: '/api/publisher/clients',
  load: 'heavy',
  summary: 'Creates clients or changes them; one transaction, all or nothing',
  scope: 'clients:write',
  body: z.strictObject({
    items: z.array(clientRecord).check(z.minLength(1), z.maxLength(publishingLimits.maxClientsPerCall)),
    /** Clients without a password are mailed a new link and get a new code, which invalidates the earlier ones. */
    reinvite: z.optional(z.boolean()),
  }),
  answer: z.object({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** Of the changed ones, to how many no link that sets a password is mailed yet: the address is new (CONTACT_QUIET_HOURS). Left out: none. */
    quiet: z.optional(z.int()),
    /** With ACTIVATION_SECOND_FACT=code: what the organisation tells its new clients by letter or SMS. Said this once, kept as a hash. */
    activationCodes: z.optional(z.array(z.object({ personalId: z.string(), code: z.string() }))),
    /**
     * Those who cannot sign in as the records and IDENTITY_SERVICES are: the personal id leads to this service, which signs in only clients of the
     * other `managed`. They are written all the same. Left out: none.
     */
    misdirected: z.optional(z.array(z.object({ personalId: z.string(), managed: z.boolean(), service: z.string() }))),
  }),
});

/** The `description` part of a statute version. `effectiveFrom` in epoch ms; left out: at once. */
export const statutePublication = z.strictObject({
  version: keptText(40),
  effectiveFrom: z.optional(keptEpochMs),
  changes: z.optional(keptText(2_000)),
});
export type StatutePublication = z.output<typeof statutePublication>;

/** C3. The same version with the same bytes is `repeated`; with other bytes, or after its withdrawal, RESOURCE_DUPLICATE. A version cannot be changed. */
export const publishStatute = publisherCall({
  name: 'publishStatute',
  method: 'POST',
  path: '/api/publisher/statutes',
  summary: 'Publishes a version of the statute: multipart with `description` (JSON, first) and `file`',
  scope: 'statutes:publish',
  form: { description: statutePublication, file: 'file' },
  answer: z.object({
    id: documentId,
    version: z.string(),
    sha256: z.string(),
    effectiveFrom: epochMs,
    /** The organisation's, in which clients are told the day. */
    timeZone: z.string(),
    repeated: z.boolean(),
  }),
});

const statuteState = z.enum(['IN_FORCE', 'UPCOMING', 'PAST', 'WITHDRAWN']);

export const keptStatute = z.object({
  id: z.string(),
  version: z.string(),
  state: statuteState,
  effectiveFrom: epochMs,
  publishedAt: epochMs,
  sha256: z.string(),
  changes: z.nullable(z.string()),
  /** How many clients have accepted it. */
  acceptances: z.int(),
  withdrawn: z.nullable(z.object({ at: epochMs, keyId: z.string(), keyName: z.string(), reason: z.string() })),
});
export type KeptStatute = z.output<typeof keptStatute>;

export const listStatutes = publisherCall({
  name: 'listStatutes',
  method: 'GET',
  path: '/api/publisher/statutes',
  load: 'heavy',
  summary: 'Every version of the statute, the latest first, also those that were withdrawn',
  scope: 'statutes:publish',
  answer: z.object({ items: z.array(keptStatute), timeZone: z.string() }),
});

/**
 * C3. Only before its moment, and while no client has accepted it (else INVALID_STATUS); RESOURCE_NOT_FOUND for an unknown version. It is
 * announced and asked for no more; its text stays. `changed`: false when it was withdrawn before.
 */
export const withdrawStatute = publisherCall({
  name: 'withdrawStatute',
  method: 'POST',
  path: '/api/publisher/statutes/withdraw',
  summary: 'Withdraws a version of the statute before it takes effect; cannot be undone',
  scope: 'statutes:publish',
  body: z.strictObject({ version: keptText(40), reason: keptText(500) }),
  answer: z.object({ id: documentId, version: z.string(), changed: z.boolean() }),
});

const bilingual = z.strictObject({ pl: keptText(200), en: keptText(200) });

/** R5. Throws VALIDATION_ERROR (`id`) for a dictionary of the portal itself. */
export const upsertDictionary = publisherCall({
  name: 'upsertDictionary',
  method: 'PUT',
  path: '/api/publisher/dictionaries/:id',
  load: 'heavy',
  summary: 'Creates or replaces a dictionary of KEY_NAME values; options in use are kept',
  scope: 'dictionaries:write',
  params: z.object({ id: patternedText(/^[A-Z][A-Z0-9_]{0,63}$/, { maxLength: 64 }) }),
  body: z.strictObject({
    name: bilingual,
    values: z.array(z.strictObject({ key: keptText(64), name: bilingual })).check(z.minLength(1), z.maxLength(1_000)),
  }),
  answer: 'nothing',
});

/**
 * A metadata key, as an organisation defines it. `id` of a new one is a name like BRANCH_CODE. What is left out stays as it was; of a new key it is
 * false, empty, and visible to clients.
 */
export const definitionRecord = z.strictObject({
  id: patternedText(/^(?:[A-Z][A-Z0-9_]{0,63}|[1-9]\d{0,3})$/, { maxLength: 64 }),
  name: bilingual,
  description: z.optional(z.nullable(keptText(500))),
  type: z.enum(metadataTypes),
  /** Every publication must have it. */
  required: z.optional(z.boolean()),
  /** No publication may have it any more; documents keep their values. */
  removed: z.optional(z.boolean()),
  /** Clients are shown the values, and find documents by those that are text. */
  visible: z.optional(z.boolean()),
  /** Of KEY_NAME: where its options are. */
  dictionary: z.optional(z.nullable(patternedText(/^[A-Z][A-Z0-9_]{0,63}$/, { maxLength: 64 }))),
  /** D details panel, I document information, V verification. */
  screens: z.optional(z.array(z.enum(['D', 'I', 'V'])).check(z.maxLength(3))),
});
export type DefinitionRecord = z.output<typeof definitionRecord>;

/** R5. Of each key what `defineMetadata` takes, in the order in which clients see them; those that the portal sets are not among them. */
export const listDefinitions = publisherCall({
  name: 'listDefinitions',
  method: 'GET',
  path: '/api/publisher/metadata',
  summary: 'The metadata keys that a publisher may set, also those that clients are not shown',
  scope: 'metadata:write',
  answer: z.object({ items: z.array(definitionRecord) }),
});

/**
 * R5. All or nothing. Type, dictionary and visibility of a key stay as they are once a document carries it. Throws VALIDATION_ERROR naming the
 * item and the field.
 */
export const defineMetadata = publisherCall({
  name: 'defineMetadata',
  method: 'PUT',
  path: '/api/publisher/metadata',
  load: 'heavy',
  summary: 'Creates metadata keys or changes them; keys that are not named stay',
  scope: 'metadata:write',
  body: z.strictObject({
    items: z.array(definitionRecord).check(z.minLength(1), z.maxLength(publishingLimits.maxDefinitionsPerCall)),
    /** Says what would change, and changes nothing. */
    dryRun: z.optional(z.boolean()),
  }),
  answer: z.object({
    created: z.array(z.string()),
    changed: z.array(z.object({ id: z.string(), fields: z.array(z.string()) })),
    unchanged: z.int(),
  }),
});

/** U1. One transaction; the stored files are removed after it. */
export const removeDemo = publisherCall({
  name: 'removeDemo',
  method: 'POST',
  path: '/api/publisher/demo/remove',
  summary: 'Removes the demonstration people, documents and statutes, and nothing else',
  scope: 'demo:remove',
  answer: z.object({ clients: z.int(), documents: z.int(), statutes: z.int() }),
});
