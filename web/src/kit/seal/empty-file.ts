/** The SHA-256 of an empty file: its seal stands where there is no document. */
export const emptyFile = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
