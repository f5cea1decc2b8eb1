/**
 * The 26 server codes. One HTTP status each; CALL_NOT_PERMITTED alone has a second one (429, with Retry-After).
 * `silent` codes are handed to the caller without an alert (Q1). `shownAs` is the code a client is told instead.
 */
export const errorCodes = {
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal error' },
  CALL_NOT_PERMITTED: { status: 403, message: 'The call is not permitted' },
  VALIDATION_ERROR: { status: 400, message: 'Validation error' },
  STORAGE_ERROR: { status: 503, message: 'The document storage is not usable' },
  BC_ERROR: { status: 503, message: 'The document register is not usable' },
  RENDER_ERROR: { status: 500, message: 'Rendering failed', shownAs: 'INTERNAL_SERVER_ERROR' },
  SIGNATURE_INVALID: { status: 422, message: 'The signature of the document is invalid' },
  SIGNATURE_NOT_FOUND: { status: 422, message: 'The document is not signed' },
  INVALID_DATE_RANGE: { status: 400, message: 'The end is before the start' },
  INVALID_STATUS: { status: 409, message: 'Not allowed in the present state', silent: true },
  INVALID_SHA256: { status: 400, message: 'Invalid checksum' },
  INVALID_DOC_TYPE: { status: 400, message: 'Invalid document type' },
  DUPLICATE_HCP: { status: 409, message: 'The archive holds another object under this identifier' },
  DUPLICATE_BC: { status: 409, message: 'The event is already in the register', silent: true },
  NOT_FOUND_BC: { status: 404, message: 'No register entry' },
  ACCESS_DENIED: { status: 401, message: 'No valid session' },
  DOCUMENT_NOT_FOUND_ERROR: { status: 404, message: 'Document not found', silent: true },
  DOCUMENT_REMOVE_ERROR: { status: 409, message: 'The document could not be removed' },
  DOCUMENT_RELOCATE_ERROR: { status: 500, message: 'The document could not be moved' },
  DOCUMENT_METADATA_ERROR: { status: 400, message: 'The metadata do not fit their definitions', silent: true },
  DOCUMENT_UPLOAD_ERROR: { status: 400, message: 'The document could not be uploaded' },
  DOCUMENT_RETENTION_ERROR: { status: 409, message: 'The retention period does not allow it' },
  DOCUMENT_MAX_SIZE_ERROR: { status: 413, message: 'The file is too large' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not found' },
  RESOURCE_DUPLICATE: { status: 409, message: 'Such a resource already exists' },
  INVALID_CREDENTIALS_ERROR: { status: 400, message: 'Invalid credentials' },
} as const satisfies Record<string, { status: number; message: string; silent?: true; shownAs?: string }>;

export type ErrorCode = keyof typeof errorCodes;

// Object.keys is typed as string[]; the table above is closed, so its keys are the codes.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const errorCodeNames = Object.keys(errorCodes) as ErrorCode[];

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(errorCodes, value);

/** Passed to the caller of the call, and no alert is shown (Q1). */
export const isSilent = (code: ErrorCode): boolean => 'silent' in errorCodes[code];
