import * as z from 'zod/mini';
import { readSecretFiles } from './secret-files.ts';
import { readSettings, secretNames, SettingsError, settingRows } from './settings.ts';

export interface DescribedSetting {
  readonly name: string;
  /** As written in the environment; for a secret, and for an unreadable one, `set` or `not set`. Null: left out. */
  readonly value: string | null;
  /** `file`: NAME_FILE names the file that holds it. */
  readonly from: 'environment' | 'file' | 'standard' | 'left out';
  /** What holds when it is left out, if that is always the same. */
  readonly standard: string | null;
  readonly isSecret: boolean;
  readonly doc: string;
}

export interface DescribedSettings {
  readonly settings: readonly DescribedSetting[];
  /** Why the portal would not start like this, a sentence each, without any value. */
  readonly problems: readonly string[];
}

/** What these environment variables mean to the portal, for people and programs. Never holds the value of a secret. */
export const describeSettings = (environment: NodeJS.ProcessEnv): DescribedSettings => {
  const given = readSecretFiles(environment, secretNames).written;
  return {
    settings: Object.entries(settingRows).map(([name, { doc, schema, standard = null, ...row }]) => {
      const isSecret = !('public' in row);
      const written = given[name] ?? '';
      const isWritten = written !== '';
      const plain = isWritten ? written : standard;
      // What was refused may hold more than it should: a password in PUBLIC_URL, another setting's value.
      const isShown = !isSecret && (!isWritten || z.safeParse(schema, written).success);
      return {
        name,
        value: isShown ? plain : isWritten ? 'set' : 'not set',
        from: isWritten ? (given[name] === environment[name] ? 'environment' : 'file') : standard === null ? 'left out' : 'standard',
        standard,
        isSecret,
        doc,
      };
    }),
    problems: findProblems(environment),
  };
};

const findProblems = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
};

/** Of a value's own lines and bytes that a terminal would obey. */
const onOneLine = (value: string): string => (/[\p{Cc}\u2028\u2029]/u.test(value) ? JSON.stringify(value) : value);

/** As people read it: each setting with its sentence, then what is wrong. */
export const printedSettings = ({ settings, problems }: DescribedSettings): string => {
  const lines = settings.flatMap(({ name, value, from, doc }) => [
    `${name}${value === null ? '' : ` = ${onOneLine(value)}`}  (${from})`,
    `    ${doc}`,
  ]);
  const wrong = problems.length === 0 ? [] : ['', 'The portal does not start with these settings:', ...problems.map((line) => `  ${line}`)];
  return `${[...lines, ...wrong].join('\n')}\n`;
};

/** For a check before a start or an upgrade: only what is wrong with the settings themselves. */
export const printedCheck = ({ problems }: Pick<DescribedSettings, 'problems'>): string => `${problems.join('\n')}\n`;
