import { fileURLToPath } from 'node:url';

/** The portal's own program that prints its settings, where the portal is installed beside this command; it is run, never imported. */
export const printSettingsPath = fileURLToPath(new URL('../../server/src/print-settings.ts', import.meta.url));
