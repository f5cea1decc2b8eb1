import { expect, onTestFinished, test } from 'vitest';
import { askBeforeLeaving, mayLeave } from './unsent-work.ts';

const answering = (name: string, answer: boolean, asked: string[] = []): void => {
  onTestFinished(
    askBeforeLeaving(async () => {
      asked.push(name);
      return answer;
    }),
  );
};

test('a tab without unsent work may be left', async () => {
  expect(await mayLeave()).toBe(true);
});

test('everybody is asked in turn, up to the first who refuses', async () => {
  const asked: string[] = [];
  answering('first', true, asked);
  answering('second', false, asked);
  answering('third', true, asked);
  expect(await mayLeave()).toBe(false);
  expect(asked).toEqual(['first', 'second']);
});

test('who has left is asked no more', async () => {
  askBeforeLeaving(() => false)();
  expect(await mayLeave()).toBe(true);
});
