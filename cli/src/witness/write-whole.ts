import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file is replaced as a whole and lies on the disk before this resolves; only its owner may read it. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
