# The site: the pages of docs/, and the reference of the header.

PACKAGES_DOCS := tmux
PACKAGES_FULL += $(PACKAGES_DOCS)

.PHONY: docs
build/docs/ready: docs/site/requirements.txt
	@$(PYTHON) -m venv build/docs
	@build/docs/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

## docs             the site, build/site: guides, reference, manual, figures; nothing is fetched when it is read
docs: deps build manual build/venv/ready build/docs/ready
	$(call install-packages,$(PACKAGES_DOCS))
	@MTOKEN_LIBRARY="$(CURDIR)/build/lib/libmtoken.so.1" build/venv/bin/python docs/site/record.py \
		build/docs/recording.svg
	@$(PYTHON) docs/site/stage.py build/docs/stage --recording build/docs/recording.svg --manual build/man/man1
	@cp build/docs/lib/python3*/site-packages/mermaidx/assets/mermaid.js build/docs/stage/source/mermaid.js
	@rm -rf build/site
	@NO_MKDOCS_2_WARNING=1 build/docs/bin/python -m mkdocs build --quiet --strict -f build/docs/stage/mkdocs.yml
	@echo "site: $$(find build/site -name '*.html' | wc -l) pages, build/site/index.html"
