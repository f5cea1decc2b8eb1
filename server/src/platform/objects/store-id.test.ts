import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SettingsError } from '#platform/settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createFileObjects } from './file-objects.ts';
import { fileStorePlace } from './file-store-id.ts';
import type { Objects } from './objects.ts';
import { recogniseStore } from './store-id.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'pergamin-store-id-'));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Store {
  readonly root: string;
  readonly objects: Objects;
}

const openStore = async (name: string): Promise<Store> => {
  const root = join(folder, name);
  return { root, objects: await createFileObjects(root) };
};

const recognise = ({ root, objects }: Store): Promise<void> => recogniseStore({ db: database.db, place: fileStorePlace(root), objects });

const idOf = ({ root }: Store): Promise<string> => readFile(join(root, 'store-id'), 'utf8');

/** As a version did that knew of no ids: the object and its row. */
const publishTo = async ({ objects }: Store): Promise<void> => {
  const { key, sha256, size } = await objects.put(Readable.from(Buffer.from('%PDF-1.7')));
  await database.pool.query(
    `insert into statute (id, version, effective_from, object_key, sha256, size, page_count, page_sizes)
     values (gen_random_uuid(), 'v1', now(), $1, $2, $3, 1, '[]')`,
    [key, sha256, size],
  );
};

const forgetId = async (store: Store): Promise<void> => {
  await rm(join(store.root, 'store-id'), { force: true });
  await database.pool.query(`delete from installation where name = 'object-store-id'`);
};

test('a first start makes an id that the database knows, and every later start and process finds it', async () => {
  const store = await openStore('objects');
  await Promise.all([recognise(store), recognise(await openStore('objects')), recognise(await openStore('objects'))]);
  const id = await idOf(store);
  await publishTo(store);
  await recognise(await openStore('objects'));
  expect(await idOf(store)).toBe(id);
});

test('one of two processes with folders of their own that meet a new database is refused', async () => {
  const results = await Promise.allSettled([recognise(await openStore('one')), recognise(await openStore('other'))]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('an installation of an older version gets its id when its objects are there, and two of its processes get the same', async () => {
  const store = await openStore('objects');
  await publishTo(store);
  await Promise.all([recognise(store), recognise(await openStore('objects'))]);
  await expect(recognise(store)).resolves.toBeUndefined();
});

describe('is refused in a sentence', () => {
  const rows: readonly (readonly [string, () => Promise<Store>, RegExp])[] = [
    [
      'an empty folder beside a database that knows another',
      async () => {
        await recognise(await openStore('objects'));
        return openStore('unmounted');
      },
      /^DATA_DIR: \S+unmounted is not the folder of objects that the database knows: it has no file store-id\. All processes of one database share one folder/,
    ],
    [
      'the folder of another installation',
      async () => {
        await recognise(await openStore('objects'));
        const other = await openStore('other');
        await writeFile(join(other.root, 'store-id'), '00000000-0000-4000-8000-000000000000\n');
        return other;
      },
      /^DATA_DIR: \S+other holds the objects of another database/,
    ],
    [
      'an empty folder beside the documents of an older version',
      async () => {
        await publishTo(await openStore('objects'));
        return openStore('unmounted');
      },
      /^DATA_DIR: the database knows of documents, and none of those looked for is in \S+unmounted/,
    ],
    [
      'a folder with objects beside a new database',
      async () => {
        const store = await openStore('objects');
        await store.objects.put(Readable.from(Buffer.from('%PDF-1.7')));
        return store;
      },
      /^DATA_DIR: \S+objects holds objects, and the database knows of none/,
    ],
    [
      'an id that is none',
      async () => {
        const store = await openStore('objects');
        await recognise(store);
        await rm(join(store.root, 'store-id'));
        await writeFile(join(store.root, 'store-id'), 'x');
        return store;
      },
      /^DATA_DIR: \S+store-id does not hold the id/,
    ],
  ];

  test.each(rows)('%s', async (_what, prepare, sentence) => {
    const store = await prepare();
    await expect(recognise(store)).rejects.toThrow(SettingsError);
    await expect(recognise(store)).rejects.toThrow(sentence);
  });
});

test('a start that was killed between the file and the row goes on with the file', async () => {
  const store = await openStore('objects');
  await recognise(store);
  const id = await idOf(store);
  await database.pool.query(`delete from installation where name = 'object-store-id'`);
  await recognise(store);
  expect(await idOf(store)).toBe(id);
  await forgetId(store);
  await recognise(store);
  expect(await idOf(store)).not.toBe(id);
});
