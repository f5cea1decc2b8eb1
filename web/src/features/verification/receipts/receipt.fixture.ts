/** A register of five entries, written by the tests of `ledger/`: the receipt of its second one, for the file `file 1`. */
export const receipt = `c2sp.org/tlog-proof@v1
extra dG4uc3RhdGVtZW50L3YxAAEAAAGjGFxQAQAKZG9jdW1lbnQtMYO/f82RPoHTXw0OlO0ewGEejjtJCcI7AO+fB28gXmfGAAAAAAAAAAEADWNpZjoxCmNpZjrFvDECAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAARBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4oyYbSo++VLR8AQmxzHGpy1uqTHvFPm+ENqe9dXpzqNWQ==
index 1
f/N0DOcmcPXutK69jxn092iYoe0X4Uq2OeZncYs88XY=
xBnRs1/7+cTuxdqY+2onhgQsfBH+6joAcm/d5vg60SA=
ofCQAnmYJYRWOIGF26vYB1Ey/dYpEUTeP69CaVvoHm8=

portal.example/log
5
X+7tP/lXe1wJ/IOwpS1WshQIEh5MZO8Z37D7bXuMrrg=

— portal.example/log 2syjc9iwu4S8NB947GL/u+IpEFYFaHKLvg0SC3fxX91bADpzTLjlgGPf+AwgOQKN/PETBYfJkKgAnUWzOiWVW40/Tgk=
`;

/** The same, cosigned by one witness. */
export const seenReceipt = `c2sp.org/tlog-proof@v1
extra dG4uc3RhdGVtZW50L3YxAAEAAAGjGFxQAQAKZG9jdW1lbnQtMYO/f82RPoHTXw0OlO0ewGEejjtJCcI7AO+fB28gXmfGAAAAAAAAAAEADWNpZjoxCmNpZjrFvDECAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAARBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4oyYbSo++VLR8AQmxzHGpy1uqTHvFPm+ENqe9dXpzqNWQ==
index 1
f/N0DOcmcPXutK69jxn092iYoe0X4Uq2OeZncYs88XY=
xBnRs1/7+cTuxdqY+2onhgQsfBH+6joAcm/d5vg60SA=
ofCQAnmYJYRWOIGF26vYB1Ey/dYpEUTeP69CaVvoHm8=

portal.example/log
5
X+7tP/lXe1wJ/IOwpS1WshQIEh5MZO8Z37D7bXuMrrg=

— portal.example/log 2syjc9iwu4S8NB947GL/u+IpEFYFaHKLvg0SC3fxX91bADpzTLjlgGPf+AwgOQKN/PETBYfJkKgAnUWzOiWVW40/Tgk=
— auditor.example/w1 KgnoJQAAAABrSdJktjh1wuJJTLGftnsCPw9jhM9ftjF+4KZj/PP+qOGl95JdAComlTCScMl2Ix1ZGOKml5k3rAXi6bpoOZZN8+h2Bg==
`;

export const keys = `log portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c
quorum none
`;

/** As many witnesses as there are must have cosigned. */
export const strictKeys = `log portal.example/log+dacca373+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c
witness w1 auditor.example/w1+2a09e825+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU
quorum w1
`;

/** Of another register. */
export const otherKeys = `log other.example/log+3d49c899+Ae1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR
quorum none
`;

export const fileContent = 'file 1';
export const fileSum = '83bf7fcd913e81d35f0d0e94ed1ec0611e8e3b4909c23b00ef9f076f205e67c6';
