import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, settingRows, SettingsError } from './settings.ts';

const problemsOf = (environment: NodeJS.ProcessEnv): string[] => {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
};

describe('an empty environment', () => {
  test('runs the portal on this machine alone, with the demonstration', () => {
    const { publicUrl, ...rest } = readSettings({});
    expect(publicUrl.href).toBe('http://localhost:8080/');
    expect(rest).toEqual({
      port: 8080,
      host: '127.0.0.1',
      metricsPort: 8081,
      metricsHost: '127.0.0.1',
      dataDir: './data',
      role: 'all',
      tracesUrl: undefined,
      databaseUrl: undefined,
      brandingDir: undefined,
      logLevel: 'info',
      organisationName: 'Bank Wiślany',
      timeZone: 'Europe/Warsaw',
      statementMarkerKey: 'PERGAMIN_ST_DOC_TYPE',
      ignoreMarkers: [],
      sessionIdleMs: 15 * 60_000,
      sessionAbsoluteMs: 8 * 3_600_000,
      identityServices: [],
      passwordHistory: 5,
      passwordMaxLength: 20,
      activationSecondFact: 'none',
      publishMaxBytes: 52_428_800,
      publishCallsPerMinute: 12_000,
      retentionYears: {},
      batchSecondKey: 'none',
      contactQuietMs: 86_400_000,
      isLedgerPublic: true,
      scrubDays: 30,
      sendingFilesPerSession: 20,
      sendingFilesPerDay: 200,
      sendingRefuse: ['JAVASCRIPT', 'LAUNCH'],
      publishContent: 'flag',
      publishForeignData: 'refuse',
      scanner: undefined,
      malwareScanFailure: 'refuse',
      receivedWebhook: undefined,
      seals: { policy: {}, anchors: undefined },
      timestamps: undefined,
      notices: 'at-once',
      noticeReminderDays: undefined,
      sms: undefined,
      renderWorkers: undefined,
      renditionsMaxBytes: 10_737_418_240,
      ledgerDir: resolve('data/ledger'),
      ledgerKeyFile: resolve('data/ledger.key'),
      ledgerIntervalMs: 0,
      ledgerPolicyFile: undefined,
      ledgerQuorum: 'later',
      bucket: undefined,
      s3Access: { region: 'us-east-1', credentials: undefined, lockDays: 1 },
      encryption: 'on',
      encryptionKeyFile: resolve('data/encryption.key'),
      encryptionSpool: resolve('data/encrypting'),
      diskReservePercent: 10,
      trustedProxies: [],
      drainMs: 0,
      smtpUrl: undefined,
      mailFrom: 'no-reply@localhost',
      demo: 'auto',
    });
  });

  test('is the same as one whose settings are blank', () => {
    const blank = Object.fromEntries(Object.keys(settingRows).map((name) => [name, '']));
    expect(readSettings(blank)).toEqual(readSettings({}));
  });
});

describe('the public address', () => {
  test.each([
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://documents.example.com', 'https://documents.example.com'],
    ['HTTPS://Documents.Example.com:443/', 'https://documents.example.com'],
    ['https://documents.example.com:8443', 'https://documents.example.com:8443'],
  ])('may be %s', (written, origin) => {
    expect(readSettings({ PUBLIC_URL: written }).publicUrl.origin).toBe(origin);
  });

  test.each([
    'documents.example.com',
    'ftp://documents.example.com',
    'https://',
    'https://documents.example.com/portal',
    'https://documents.example.com/?a=1',
    'https://documents.example.com/#top',
    'https://user@documents.example.com',
    'https://:secret@documents.example.com',
  ])('may not be %s', (written) => {
    expect(problemsOf({ PUBLIC_URL: written })).toEqual([
      `PUBLIC_URL: not an address like https://documents.example.com. ${settingRows.PUBLIC_URL.doc}`,
    ]);
  });

  test.each(['http://documents.example.com', 'http://192.168.1.5:8080', 'http://localhost.example.com'])(
    'must be https when it is %s',
    (written) => {
      expect(problemsOf({ PUBLIC_URL: written })[0]).toContain('http is allowed on loopback only');
    },
  );

  test('follows the port when it is left out', () => {
    expect(readSettings({ PORT: '9000' })).toMatchObject({ port: 9000, metricsPort: 9001, publicUrl: new URL('http://localhost:9000') });
  });

  test('a public address that is not this machine lets the portal listen on every address', () => {
    expect(readSettings({ PUBLIC_URL: 'https://documents.example.com' }).host).toBe('::');
    expect(readSettings({ PUBLIC_URL: 'https://documents.example.com', HOST: '10.0.0.7' }).host).toBe('10.0.0.7');
  });

  test('the public address never puts metrics on an address that was not named for them', () => {
    expect(readSettings({ PUBLIC_URL: 'https://documents.example.com', HOST: '10.0.0.7' }).metricsHost).toBe('127.0.0.1');
    expect(readSettings({ METRICS_HOST: '10.0.0.7' }).metricsHost).toBe('10.0.0.7');
  });
});

test('metrics have a port of their own beside the last one, too', () => {
  expect(readSettings({ PORT: '65535' }).metricsPort).toBe(65_534);
  expect(readSettings({ METRICS_PORT: '9100' }).metricsPort).toBe(9100);
});

test('classes of documents have their years, each alone', () => {
  expect(readSettings({ RETENTION_YEARS: ' private=10, statement = 6 ' }).retentionYears).toEqual({ private: 10, statement: 6 });
});

test('lists are separated by commas, blanks do not count', () => {
  expect(readSettings({ IGNORE_MARKERS: ' 77, PRIV_ARCHIVE ,,', TRUSTED_PROXIES: '10.0.0.1, fd00::/8' })).toMatchObject({
    ignoreMarkers: ['77', 'PRIV_ARCHIVE'],
    trustedProxies: ['10.0.0.1', 'fd00::/8'],
  });
});

describe('a wrong value is named, with what the setting is for', () => {
  test.each([
    ['ACTIVATION_SECOND_FACT', 'sms'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '8e3'],
    ['PORT', '-1'],
    ['METRICS_PORT', '99999'],
    ['DATABASE_URL', 'mysql://db/pergamin'],
    ['DATABASE_URL', 'db.example.com'],
    ['DATABASE_MIGRATION_URL', 'db.example.com'],
    ['LOG_LEVEL', 'loud'],
    ['ROLE', 'both'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['TIME_ZONE', 'Warsaw'],
    ['STATEMENT_MARKER_KEY', 'marker key'],
    ['SESSION_IDLE_MINUTES', '0'],
    ['SESSION_IDLE_MINUTES', '1.5'],
    ['SESSION_ABSOLUTE_HOURS', '999999999999'],
    ['PUBLISH_MAX_BYTES', '50 MB'],
    ['PUBLISH_CALLS_PER_MINUTE', '59'],
    ['RETENTION_YEARS', '10'],
    ['RETENTION_YEARS', 'private=0'],
    ['RETENTION_YEARS', 'private=ten'],
    ['RETENTION_YEARS', 'loans=10'],
    ['RETENTION_YEARS', 'private=10,private=5'],
    ['SEAL_POLICY', 'private'],
    ['SEAL_POLICY', 'private=always'],
    ['SEAL_POLICY', 'loans=required'],
    ['SEAL_ANCHORS', '/nowhere/anchors.pem'],
    ['SEAL_ANCHORS', '/dev/null'],
    ['TIMESTAMP_URL', 'tsa.example.com'],
    ['TIMESTAMP_ANCHORS', '/nowhere/anchors.pem'],
    ['TIMESTAMP_POLICY', 'qualified'],
    ['RENDER_WORKERS', '1000'],
    ['TRUSTED_PROXIES', '10.0.0.1, proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', '10.0.0.1, 0.0.0.0/1, 128.0.0.0/1'],
    ['TRUSTED_PROXIES', '2000::/3'],
    ['TRUSTED_PROXIES', '::ffff:0.0.0.0/96'],
    ['DRAIN_SECONDS', '301'],
    ['DRAIN_SECONDS', '1.5'],
    ['OBJECTS_URL', 'bucket'],
    ['OBJECTS_URL', 'http://s3.example.com/documents'],
    ['OBJECTS_URL', 'https://s3.example.com'],
    ['OBJECTS_URL', 'https://key:secret@s3.example.com/documents'],
    ['OBJECTS_URL', 'https://s3.example.com/documents?x=1'],
    ['OBJECTS_URL', 's3://Documents'],
    ['S3_REGION', 'eu central'],
    ['OBJECT_LOCK_DAYS', '0'],
    ['DEMO', 'yes'],
  ] as const)('%s=%s', (name, value) => {
    const [problem, ...more] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name}: .+\\. `));
    expect(problem?.endsWith(settingRows[name].doc)).toBe(true);
    expect(more).toEqual([]);
  });

  test('every one of several', () => {
    const problems = problemsOf({ PORT: 'x', PUBLIC_URL: 'x', TIME_ZONE: 'x', DEMO: 'x' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['PORT', 'PUBLIC_URL', 'TIME_ZONE', 'DEMO']);
  });

  test('a wrong value is not repeated, since it may be a secret', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://pergamin:kN4ry@db/pergamin' }).join('')).not.toContain('kN4ry');
  });
});

test('every setting says what it is for, in one sentence or two, and fits its own standard', () => {
  for (const [name, { doc }] of Object.entries(settingRows)) {
    expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(doc).toMatch(/^[^.].{10,}\.$/);
  }
});

describe('the mail server', () => {
  test.each(['smtp://mail.example.com', 'smtps://portal:p%40ss@mail.example.com:465', 'smtp://127.0.0.1:2525/', 'smtp://[::1]:25'])(
    'may be %s',
    (written) => {
      expect(readSettings({ SMTP_URL: written }).smtpUrl?.protocol).toMatch(/^smtps?:$/);
    },
  );

  test.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://user@mail.example.com',
    'smtp://a:%ff@b',
    'smtp://a/b',
    'smtp://a?tls=no',
  ])('may not be %s, and what was written is not repeated', (written) => {
    const [problem = ''] = problemsOf({ SMTP_URL: written });
    expect(problem).toMatch(/^SMTP_URL: not an address like /);
    expect(problem).not.toContain(`${written}.`);
  });

  test('sends from an address of the portal’s own host, or from the one that is set', () => {
    expect(readSettings({ PUBLIC_URL: 'https://documents.example.com' }).mailFrom).toBe('no-reply@documents.example.com');
    expect(readSettings({ PUBLIC_URL: 'http://[::1]:8080' }).mailFrom).toBe('no-reply@localhost');
    expect(readSettings({ MAIL_FROM: 'bank@example.com' }).mailFrom).toBe('bank@example.com');
    expect(problemsOf({ MAIL_FROM: 'Bank <bank@example.com>' })).toHaveLength(1);
    expect(problemsOf({ MAIL_FROM: 'bank@example.com\r\nBcc: everybody@example.com' })).toHaveLength(1);
  });
});

test('the owner of a database that is not named is refused', () => {
  const owner = { DATABASE_MIGRATION_URL: 'postgres://owner@db.example.com/portal' };
  expect(problemsOf(owner)).toEqual(['DATABASE_MIGRATION_URL: set DATABASE_URL too. The embedded PostgreSQL needs neither.']);
  expect(problemsOf({ ...owner, DATABASE_URL: 'postgres://portal@db.example.com/portal' })).toEqual([]);
});

describe('the bucket', () => {
  test.each([
    ['https://s3.example.com/documents', { endpoint: 'https://s3.example.com', bucket: 'documents', prefix: '' }],
    [
      'https://s3.example.com:9000/documents/portal/one/',
      { endpoint: 'https://s3.example.com:9000', bucket: 'documents', prefix: 'portal/one/' },
    ],
    ['http://127.0.0.1:9000/documents', { endpoint: 'http://127.0.0.1:9000', bucket: 'documents', prefix: '' }],
    ['s3://documents/portal', { endpoint: undefined, bucket: 'documents', prefix: 'portal/' }],
  ])('may be %s', (written, address) => {
    const read = readSettings({ OBJECTS_URL: written, S3_REGION: 'eu-central-1', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' });
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    expect(read.bucket).toEqual({ ...address, region: 'eu-central-1', credentials, lockDays: 1 });
  });

  test('needs both halves of an access key or none, and Amazon’s a region', () => {
    const url = { OBJECTS_URL: 's3://documents' };
    expect(problemsOf({ S3_ACCESS_KEY_ID: 'id' })).toEqual(['S3_SECRET_ACCESS_KEY: missing beside S3_ACCESS_KEY_ID.']);
    expect(problemsOf({ S3_SECRET_ACCESS_KEY: 'secret' })).toEqual(['S3_ACCESS_KEY_ID: missing beside S3_SECRET_ACCESS_KEY.']);
    expect(problemsOf(url)).toEqual(['S3_REGION: missing beside an OBJECTS_URL of s3://.']);
    expect(problemsOf({ ...url, S3_REGION: 'eu-central-1' })).toEqual([]);
  });
});
