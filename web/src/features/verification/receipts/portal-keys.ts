/** Whose signatures the portal itself says to trust, as a tlog-policy. */
export const loadPortalKeys = async (): Promise<string | undefined> => undefined;
