import { assert, property, string, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getDocument, getPageImage, listOwnDocuments } from './documents.ts';
import { personalIdPattern } from './limits.ts';
import { publishDocument } from './publishing.ts';
import { pathOf, requestOf } from './request.ts';
import { getSelf, startSignIn } from './session.ts';

const personalIds = stringMatching(/^[A-Za-z0-9._@-]{1,64}$/).filter((id) => personalIdPattern.test(id));

describe('a path', () => {
  test('has its parameters in their places', () => {
    expect(pathOf(getPageImage, { params: { id: 'abc', page: '3' }, query: { width: '1240' } })).toBe(
      '/api/protected/documents/render/page/abc/3?width=1240',
    );
  });

  test('leaves out what is not asked for', () => {
    expect(pathOf(getPageImage, { params: { id: 'abc', page: '3' }, query: { width: undefined } })).toBe(
      '/api/protected/documents/render/page/abc/3',
    );
    expect(pathOf(getSelf)).toBe('/api/protected/account/self/info');
  });

  test.each([
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['ą&=', '%C4%85%26%3D'],
    ['%2e', '%252e'],
    [':page', '%3Apage'],
  ])('encodes %j', (id, encoded) => {
    expect(pathOf(getDocument, { params: { id } })).toBe(`/api/protected/documents/data/${encoded}`);
  });

  test.each(['', '.', '..'])('cannot hold %j, which would lead elsewhere', (id) => {
    expect(() => pathOf(getDocument, { params: { id } })).toThrow('getDocument: the path parameter id is missing');
  });

  test('cannot be made without its parameters', () => {
    expect(() => pathOf(getDocument, {})).toThrow('getDocument: the path parameter id is missing');
    expect(() => pathOf(getDocument, { params: { id: null } })).toThrow('getDocument: the path parameter id is missing');
  });

  test('a path parameter with any valid personal id leaves the path of its call unchanged after URL parsing', () => {
    assert(
      property(personalIds, (personalId) => {
        const { pathname } = new URL(pathOf(startSignIn, { params: { personalId } }), 'https://bank.example');
        expect(decodeURIComponent(pathname)).toBe(`/api/open/redirect/login/${personalId}`);
      }),
    );
  });

  test('keeps every text of its query', () => {
    assert(
      property(string({ unit: 'grapheme' }), (state) => {
        const url = new URL(pathOf(startSignIn, { params: { personalId: '1' }, query: { state } }), 'https://bank.example');
        expect(url.searchParams.get('state')).toBe(state.toWellFormed());
      }),
    );
  });
});

describe('a request', () => {
  test('a GET request has neither body nor type', () => {
    expect(requestOf(getDocument, { params: { id: 'abc' } })).toEqual({
      path: '/api/protected/documents/data/abc',
      init: { method: 'GET' },
    });
  });

  test('a request with a body sends it as JSON', () => {
    const { init } = requestOf(listOwnDocuments, { body: { size: 100 } });
    expect(init).toEqual({ method: 'POST', body: '{"size":100}', headers: { 'content-type': 'application/json' } });
  });

  test('a request with a form leaves the content type to fetch, since it holds the boundary', () => {
    const form = new FormData();
    expect(requestOf(publishDocument, { form })).toEqual({ path: '/api/publisher/documents', init: { method: 'POST', body: form } });
  });
});
