/**
 * Every number that client and server share, once. Units are in the names; sources are the rows of the requirements.
 * What an installation may change is a setting on the server; these are the fixed ones and the defaults.
 */

export const sessionLimits = {
  /** B7: the countdown snackbar appears this long before the end of the session. */
  warningBeforeEndMs: 90_000,
  warningCheckEveryMs: 500,
  /** B8: after a 401 the visitor is taken to the sign-in page this much later. */
  redirectAfterUnauthorisedMs: 2_000,
  /** B3, B13: the answer to a failed sign-in is delayed by this. */
  signInErrorDelayMs: 1_000,
  ssoErrorRedirectMs: 3_000,
  /** B19: defaults of the settings SESSION_IDLE_MINUTES and SESSION_ABSOLUTE_HOURS. */
  idleMinutes: 15,
  absoluteHours: 8,
  /** The idle expiry slides on user actions, but is written at most this often. */
  slideWriteEveryMs: 60_000,
  /** B19: after a refresh the token before it still reads this long, for calls that were under way. */
  previousTokenReadsMs: 10_000,
} as const;

export const signInLimits = {
  verifierLength: 64,
  stateMaxLength: 1_024,
  /** SHA-256 in base64url has 43 characters. */
  challengeLength: 43,
  codeLifetimeMs: 60_000,
  transactionLifetimeMs: 600_000,
  /** Sign-ins in progress in the whole installation; the call is open to everyone, and each is a row until it ends or expires. */
  maxTransactions: 100_000,
  personalIdMaxLength: 64,
} as const;

export const passwordLimits = {
  minLength: 8,
  maxLength: 20,
  /** Default of the setting PASSWORD_HISTORY: the present password and this many before it. */
  history: 5,
  resetLifetimeMs: 30 * 60_000,
  activationLifetimeMs: 7 * 24 * 3_600_000,
} as const;

/** C1. */
export const statuteLimits = { shownAfterMs: 500 } as const;

export const listLimits = {
  pageSizes: [5, 10, 25, 50, 100],
  defaultPageSize: 10,
  maxPageSize: 100,
  textMaxLength: 256,
  /** Of a criterion's value as it is written: each character may be escaped, and a `%` may be at both ends. */
  valueMaxLength: 514,
  searchDebounceMs: 500,
  columnMinWidthPx: 80,
  /** More than twice as many as the widest list sends when all of its fields are filled in. */
  maxCriteria: 25,
  maxColumns: 50,
  maxSorts: 5,
  maxPage: 1_000_000,
} as const;

/**
 * Calls a minute, of all calls of an area together that have no limit of their own. `protected`: per client;
 * forty windows that poll and a long document that is leafed through stay far below it. The others: per network, behind which many
 * people may be. `publisher`: per key, the default of the setting PUBLISH_CALLS_PER_MINUTE, which is more than one process can take in.
 */
export const callLimits = { system: 6_000, open: 3_000, auth: 3_000, protected: 3_000, publisher: 12_000 } as const;

/** Calls without a session that are counted apart, for one network: an address, of IPv6 a whole /64. */
export const openCallLimits = {
  /** G6: a check reads the whole document again. */
  checksPerMinute: 10,
  /** A viewer reads a long document in many parts. */
  downloadsPerMinute: 300,
  listsPerMinute: 120,
  /** Each proof reads some tiles of the ledger. */
  receiptsPerMinute: 120,
  /** B1, B2: people behind one address begin to sign in, each of them a few times perhaps. */
  signInsBegunPerMinute: 60,
  /** B4. Each costs a signature, and a look for keys perhaps. */
  assertionsPerMinute: 60,
  /** B11: one identity service tells of all of its people from one address. */
  logoutTokensPerMinute: 600,
  /** B5: people behind one address return from their services, and some begin there. */
  returnsPerMinute: 120,
  /** A gateway tells of every message by a call. */
  smsReportsPerMinute: 6_000,
  /** Calls of publishers without a key, with a wrong one, or with one that this process sees for the first time. */
  unprovenKeysPerMinute: 300,
  /** Forms and messages to the embedded identity service: passwords, links, codes, tokens. */
  identityMessagesPerMinute: 120,
} as const;

export const valueLimits = {
  /** Values listed for one key; of more, the first. */
  maxValues: 200,
} as const;

/** E6. */
export const exportLimits = {
  /** E6. */
  maxZipDocuments: 1_000,
  maxCsvRows: 10_000,
  /** One export of a client at a time: so long after its last sign of life another may begin. */
  leaseMs: 60_000,
} as const;

/** E5: of one client. */
export const savedViewLimits = {
  maxViews: 100,
  maxFolders: 50,
  maxFilters: 50,
  nameMaxLength: 64,
  maxDepth: 3,
  columnMaxWidthPx: 2_000,
} as const;

export const viewerLimits = {
  pollFirstMs: 1_000,
  pollStepMs: 1_000,
  pollMaxMs: 5_000,
  /** The answer to a first poll waits this long, so that a short document needs no second one. */
  firstAnswerWaitMs: 800,
  panelMinWidthPx: 250,
  resizeDebounceMs: 300,
  /** The current page is the one in the middle of the view without this lowest part of it. */
  nextPageThreshold: 0.2,
  bottomMarginPx: 32,
  /** Page images exist in two widths, chosen by the device pixel ratio. */
  renderWidthsPx: [1_240, 1_860],
  defaultRenderWidthPx: 1_240,
} as const;

export const notificationLimits = {
  /** Unread ones per answer; the rest comes when these are read. */
  maxItems: 100,
  /** M1. */
  refreshMs: 30_000,
  itemHeightPx: 74,
  menuMaxHeightPx: 400,
  visibleItems: 5,
  /** Read ones are forgotten after this long. */
  readKeptMs: 90 * 24 * 3_600_000,
  /** A publication older than this causes no notification: demonstration data are backdated, and must not flood the bell. */
  newsForMs: 30 * 24 * 3_600_000,
} as const;

/** Notices by mail and SMS. */
export const noticeLimits = {
  /** A publication older than this sends no notices: demonstration data are backdated. */
  freshForMs: 3_600_000,
  defaultItems: 100,
  maxItems: 500,
} as const;

export const alertLimits = { vanishAfterMs: 5_000, topMarginPx: 72 } as const;

/** Second specification, section 9; N1 and N7 of the requirements say how the bare numbers are read. */
export const windowLimits = {
  /** Below this viewport width the product is 'mobile': drawer, lists, maximised windows (A10, A14). */
  mobileBelowPx: 870,
  cascadeStartPercent: { x: 10, y: 0 },
  cascadeStepPercent: 2.5,
  cascadeWrapsAfter: 4,
  marginPx: 8,
  titleHeightPx: 42,
  baseZIndex: 1_000,
  elevationStart: 4,
  elevationStep: 2,
  elevationMax: 20,
  resizeHandleOutsidePx: 5,
  minWidthPx: 155,
  minHeightPx: 120,
  defaultWidthPercent: 80,
  defaultHeightPercent: 70,
  defaultMinWidthPx: 640,
  defaultMinHeightPx: 450,
  sendingSizePx: { width: 650, height: 500 },
  accountSizePx: { width: 365, height: 525 },
  whatsNewSizePx: { width: 400, height: 500 },
  historySizePx: { width: 400, height: 500 },
  tabScrollReservePx: 60,
  tabScrollStepPx: 250,
  tabScrollDebounceMs: 100,
  keyboardStepPx: 20,
  keyboardFineStepPx: 1,
} as const;

export const publishingLimits = {
  /** Default of the setting PUBLISH_MAX_BYTES. */
  maxFileBytes: 50 * 1024 * 1024,
  maxPages: 10_000,
  maxDescriptionBytes: 64 * 1024,
  maxMetadataKeys: 100,
  maxValueLength: 2_000,
  maxClientsPerCall: 1_000,
  maxDocumentsPerCheck: 500,
  maxDefinitionsPerCall: 200,
  maxDocumentsPerPart: 200,
  /** Of the files of a part together; one file alone may have PUBLISH_MAX_BYTES. */
  maxPartBytes: 64 * 1024 * 1024,
  defaultBatchesPerAnswer: 20,
  maxBatchesPerAnswer: 100,
  maxGroupsPerCall: 1_000,
  maxMembersPerGroup: 50_000,
} as const;

export const sendingLimits = {
  /** H1: the number in the fixed message. */
  maxFileBytes: 5_242_880,
  /** H5: defaults of the settings SENDING_FILES_PER_SESSION and SENDING_FILES_PER_DAY. */
  filesPerSession: 20,
  filesPerDay: 200,
} as const;

export const receivedLimits = {
  defaultItems: 100,
  maxItems: 500,
} as const;

export const webhookLimits = {
  defaultItems: 100,
  maxItems: 500,
} as const;

export const checkLimits = {
  /** G1: per client. */
  perMinute: 30,
  /** The check on opening may use a result this old; the button never does. */
  openingMayBeOldMs: 600_000,
} as const;

export const verificationLimits = {
  /** Longer ones are no checksum of anything. */
  checksumMaxLength: 1_024,
  /** Upper bound of documents whose stored bytes are compared when the same file was published to a client more than once, newest first. */
  documentsLookedAt: 3,
} as const;

/**
 * A15: the syntax of a personal id. Checked by the sign-in page before any call, and by the server again. `.` and `..` are refused: in a
 * path they mean folders.
 */
export const personalIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._@-]{1,64}$/;
