import type { Mutation } from '../row.ts';

const room = 'server/src/platform/encryption';
const acceptance = 'server/src/app/encryption.test.ts';
const objects = `${room}/encrypted-objects.test.ts`;

/** What is stored is encrypted, and what is forgotten cannot be decrypted any more. */
export const encryptionRows: readonly Mutation[] = [
  {
    name: 'keys of what is forgotten',
    rule: 'forgetting a document destroys its keys at once',
    file: 'server/src/features/documents/life/life.service.ts',
    find: 'await destroyObjectKeys(trx, document.object_key);',
    replace: '',
    tests: [acceptance],
  },
  {
    name: 'the tag of a chunk',
    rule: 'nothing of a chunk is given out before its tag is verified',
    file: `${room}/cobblestone.ts`,
    find: '      decipher.final();\n',
    replace: '',
    tests: [objects],
  },
  {
    name: 'the end of a message',
    rule: 'an object that was cut off is noticed',
    file: `${room}/encrypted-file.ts`,
    find: 'if (decryption === undefined || rest.length === 0)',
    replace: 'if (decryption === undefined)',
    tests: [objects],
  },
  {
    name: 'the key of another object',
    rule: 'the key of one object opens no other one',
    file: `${room}/client-keys.ts`,
    find: 'const contextOfObject = (identity: string, clientKeyId: string): string => `pergamin/object-key/v1\\0${identity}\\0${clientKeyId}`;',
    replace: "const contextOfObject = (_identity: string, _clientKeyId: string): string => 'pergamin/object-key/v1';",
    tests: [objects],
  },
  {
    name: 'pages on the disk',
    rule: 'images of pages are kept encrypted',
    file: 'server/src/app/platform.ts',
    find: '    sealing,\n',
    replace: '',
    tests: [acceptance],
  },
];
