/**
 * The 26 server codes. One HTTP status each; CALL_NOT_PERMITTED alone has a second one (429, with Retry-After).
 * `silent` codes are handed to the caller without an alert (Q1). `shownAs` is the code a client is told instead.
 */
export const errorCodes = {
  INTERNAL_SERVER_ERROR: { status: 500 },
  CALL_NOT_PERMITTED: { status: 403 },
  VALIDATION_ERROR: { status: 400 },
  STORAGE_ERROR: { status: 503 },
  BC_ERROR: { status: 503 },
  RENDER_ERROR: { status: 500, shownAs: 'INTERNAL_SERVER_ERROR' },
  SIGNATURE_INVALID: { status: 422 },
  SIGNATURE_NOT_FOUND: { status: 422 },
  INVALID_DATE_RANGE: { status: 400 },
  INVALID_STATUS: { status: 409, silent: true },
  INVALID_SHA256: { status: 400 },
  INVALID_DOC_TYPE: { status: 400 },
  DUPLICATE_HCP: { status: 409 },
  DUPLICATE_BC: { status: 409, silent: true },
  NOT_FOUND_BC: { status: 404 },
  ACCESS_DENIED: { status: 401 },
  DOCUMENT_NOT_FOUND_ERROR: { status: 404, silent: true },
  DOCUMENT_REMOVE_ERROR: { status: 409 },
  DOCUMENT_RELOCATE_ERROR: { status: 500 },
  DOCUMENT_METADATA_ERROR: { status: 400, silent: true },
  DOCUMENT_UPLOAD_ERROR: { status: 400 },
  DOCUMENT_RETENTION_ERROR: { status: 409 },
  DOCUMENT_MAX_SIZE_ERROR: { status: 413 },
  RESOURCE_NOT_FOUND: { status: 404 },
  RESOURCE_DUPLICATE: { status: 409 },
  INVALID_CREDENTIALS_ERROR: { status: 400 },
} as const satisfies Record<string, { status: number; silent?: true; shownAs?: string }>;

export type ErrorCode = keyof typeof errorCodes;

// Object.keys is typed as string[]; the table above is closed, so its keys are the codes.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const errorCodeNames = Object.keys(errorCodes) as ErrorCode[];

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(errorCodes, value);

/** Passed to the caller of the call, and no alert is shown (Q1). */
export const isSilent = (code: ErrorCode): boolean => 'silent' in errorCodes[code];
