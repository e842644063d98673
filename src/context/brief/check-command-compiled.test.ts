import { describe, expect, it } from 'vitest';
import { commandIn, type Files } from './check-command.test-kit.ts';

describe('Go and Rust', () => {
  it('run the package of the nearest module', () => {
    const files = {
      'go.mod': 'module example.com/shop\n\ngo 1.24\n',
      'tools/go.mod': 'module example.com/shop/tools\n',
      'cart/cart_test.go': 'package cart\nfunc TestAdd(t *testing.T) {}\nfunc (s *Suite) TestSum() {}',
      'tools/gen/gen_test.go': '//go:build integration\n\npackage gen\nfunc TestGen(t *testing.T) {}',
    };
    expect(commandIn(files, 'cart/cart_test.go')).toBe('go test ./cart');
    expect(commandIn(files, 'cart/cart_test.go', 'TestAdd')).toBe("go test ./cart -run '^TestAdd$'");
    expect(commandIn(files, 'cart/cart_test.go', 'TestAdd/two items')).toBe(
      "go test ./cart -run '^TestAdd$/^two_items$'",
    );
    expect(commandIn(files, 'cart/cart_test.go', 'TestSum')).toBe('go test ./cart');
    expect(commandIn(files, 'main_test.go')).toBe('go test .');
    expect(commandIn(files, 'tools/gen/gen_test.go', 'TestGen')).toBe(
      "cd tools && go test -tags integration ./gen -run '^TestGen$'",
    );
  });

  it('run a crate, its library or an integration test', () => {
    const files = {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/cart/Cargo.toml':
        '[package]\nname = "shop-cart"\nversion = "0.1.0"\n\n[[test]]\nname = "all"\npath = "tests/main.rs"\n',
      'crates/cart/src/lib.rs': '',
      'crates/cart/tests/main.rs': 'mod sums;',
      'crates/cart/tests/flow.rs': '#![cfg(all(feature = "net", not(feature = "wasm")))]',
      'fuzz/Cargo.toml': '[package]\nname = "fuzz"\n\n[workspace]\n',
    };
    expect(commandIn(files, 'crates/cart/src/money/sum.rs')).toBe('cargo test -p shop-cart --lib money::sum');
    expect(commandIn(files, 'crates/cart/src/lib.rs', 'adds')).toBe('cargo test -p shop-cart --lib adds');
    expect(commandIn(files, 'crates/cart/tests/flow.rs', 'pays')).toBe(
      'cargo test -p shop-cart --features net --test flow pays',
    );
    expect(commandIn(files, 'crates/cart/tests/sums/two.rs')).toBe('cargo test -p shop-cart --test all');
    expect(commandIn(files, 'fuzz/src/main.rs')).toBe('cd fuzz && cargo test');
  });

  it('ask for all features of a crate that has none by default', () => {
    const toml = '[package]\nname = "cart"\n\n[features]\ndefault = []\nfull = ["net", "time"]\n';
    expect(commandIn({ 'Cargo.toml': toml, 'src/lib.rs': '' }, 'src/net.rs')).toBe(
      'cargo test --features full --lib net',
    );
  });
});

describe('build tools', () => {
  const path = 'cart/src/test/java/shop/CartTest.java';

  it('run a class of a Maven module with the modules that it needs', () => {
    const files = {
      'pom.xml': '<project><modules><module>cart</module></modules></project>',
      'cart/pom.xml': '<project><artifactId>cart</artifactId></project>',
    };
    const rest = '-Dsurefire.failIfNoSpecifiedTests=false test';
    expect(commandIn(files, path, 'adds')).toBe(`mvn -pl cart -am -Dtest=CartTest#adds ${rest}`);
    expect(commandIn({ ...files, mvnw: '' }, path)).toBe(`./mvnw -pl cart -am -Dtest=CartTest ${rest}`);
    expect(commandIn({ 'cart/pom.xml': '<project/>' }, path)).toBe('cd cart && mvn -Dtest=CartTest test');
    const other = { 'lib/pom.xml': files['pom.xml'], 'lib/cart/pom.xml': '<project/>', mvnw: '' };
    expect(commandIn(other, `lib/${path}`)).toBe(
      `./mvnw -f lib/pom.xml -pl cart -am -Dtest=CartTest ${rest}`,
    );
  });

  it('run a class of a Gradle project', () => {
    const files = { 'settings.gradle.kts': 'include(":cart")', 'cart/build.gradle.kts': '', gradlew: '' };
    expect(commandIn(files, path, 'adds')).toBe('./gradlew :cart:test --tests CartTest.adds');
    expect(commandIn(files, path, 'adds', 'Nested')).toBe('./gradlew :cart:test --tests CartTest');
    expect(commandIn(files, 'cart/src/integrationTest/kotlin/CartIT.kt', 'adds an item')).toBe(
      './gradlew :cart:integrationTest --tests "CartIT.adds an item"',
    );
    const mapped = { ...files, 'settings.gradle.kts': 'include(":basket")' };
    expect(commandIn(mapped, path)).toBe('./gradlew -p cart test --tests CartTest');
    const android = { ...files, 'cart/build.gradle.kts': 'plugins { id("com.android.library") }' };
    expect(commandIn(android, path)).toBe('./gradlew :cart:testDebugUnitTest --tests CartTest');
    expect(commandIn({ 'build.gradle': '' }, 'src/test/groovy/CartSpec.groovy')).toBe(
      'gradle test --tests CartSpec',
    );
  });

  it('choose the case of a program that make builds', () => {
    const files = { Makefile: 'cart_test: cart.o\n', 'cart_test.cc': 'TEST_F(CartTest, Adds) {}' };
    expect(commandIn(files, 'cart_test.cc', 'Adds', 'CartTest')).toBe(
      'make cart_test && ./cart_test --gtest_filter=CartTest.Adds',
    );
    expect(commandIn({ ...files, 'cart_test.cc': '' }, 'cart_test.cc', 'Adds', 'CartTest')).toBe(
      'make cart_test && ./cart_test',
    );
  });

  it.each<[string, Files, string, string | undefined, string | null]>([
    [
      'Scala',
      { 'build.sbt': 'lazy val core = project.in(file("modules/core"))\n' },
      'modules/core/src/test/scala/CartSuite.scala',
      undefined,
      'sbt "core/testOnly *CartSuite"',
    ],
    [
      'C#',
      { 'test/Shop.Tests/Shop.Tests.csproj': '<Project Sdk="Microsoft.NET.Sdk" />' },
      'test/Shop.Tests/Carts/CartTests.cs',
      'Adds',
      'dotnet test test/Shop.Tests --filter "FullyQualifiedName~CartTests.Adds"',
    ],
    [
      'Swift',
      { 'Package.swift': '// swift-tools-version:5.9' },
      'Tests/ShopTests/CartTests.swift',
      'testAdds()',
      'swift test --filter CartTests/testAdds',
    ],
    [
      'CMake',
      {
        'test/CMakeLists.txt':
          'add_executable(cart_test cart_test.cpp)\nadd_test(NAME cart_test COMMAND cart_test)',
      },
      'test/cart_test.cpp',
      undefined,
      "ctest --test-dir build -R '^cart_test$'",
    ],
    [
      'CMake that finds cases',
      {
        'CMakeLists.txt': 'gtest_discover_tests(cart_test)',
        'test/cart_test.cc': '#include <gtest/gtest.h>\nTEST(CartTest, Adds) {}',
      },
      'test/cart_test.cc',
      undefined,
      "ctest --test-dir build -R '^CartTest[.]'",
    ],
    [
      'make',
      { Makefile: 'all: shop\n\ncart_test: cart.o\n' },
      'src/cart_test.c',
      undefined,
      'make cart_test && ./cart_test',
    ],
    ['C without a target', { 'CMakeLists.txt': 'project(shop)' }, 'test/cart_test.c', undefined, null],
  ])('run a test of %s', (_, files, file, name, command) => {
    expect(commandIn(files, file, name)).toBe(command);
  });
});
